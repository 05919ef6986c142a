/** Proves, by running them symbolically for all ranks at once, that plans do what their collective promises. */
package org.chagres.collectives.proof;
