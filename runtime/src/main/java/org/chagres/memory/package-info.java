/** Off-heap memory that peers can address: regions, tokens, mappings of a peer's regions. */
package org.chagres.memory;
