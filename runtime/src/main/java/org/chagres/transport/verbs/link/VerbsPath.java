package org.chagres.transport.verbs.link;

import org.chagres.transport.verbs.PathAgreement;
import org.chagres.transport.verbs.PathEnd;

/**
 * The way to a peer.
 *
 * @param there the peer's end
 * @param agreement what both ends use
 */
public record VerbsPath(PathEnd there, PathAgreement agreement) {}
