/** Runs plans over links. Not for users of the library: see {@link org.chagres.collectives.Communicator}. */
package org.chagres.collectives.exec;
