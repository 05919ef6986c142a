/** Tensor collectives: the communicator and everything needed to compute together. */
package org.chagres.collectives;
