package org.chagres.verbs;

/** Where a UD queue pair sends datagrams to. Owned by a protection domain; must stay open until the requests that name it have completed. */
public interface AddressHandle extends VerbsObject {
    /** The bytes before the data in the memory that receives a datagram: room for its routing header. */
    int ROUTING_HEADER_BYTES = 40;

    /** The domain that it belongs to. */
    ProtectionDomain protectionDomain();
}
