/** Generated and hand-written Foreign Function and Memory bindings; the only layer that touches the linker. */
package org.chagres.bindings;
