/** Links: the connection from this rank to one peer, over one transport, and the one primitive they carry: put with signal. */
package org.chagres.transport;
