/**
 * Authenticated TCP connections between ranks, all of a process run by one thread: the event loop, the handshake, and framed messages. Knows nothing of
 * worlds beyond who claims to be whom.
 */
package org.chagres.net;
