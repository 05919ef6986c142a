/**
 * The arithmetic of collectives: {@link org.chagres.collectives.reduce.Reduction} combines arrays in native memory,
 * for every data type and operation, with the Vector API where it is present and with a plain loop where it is not.
 */
package org.chagres.collectives.reduce;
