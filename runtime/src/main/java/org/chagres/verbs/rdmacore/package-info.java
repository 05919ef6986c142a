/**
 * The verbs API over rdma-core: libibverbs and librdmacm of this machine, through the bindings.
 *
 * <p>Objects form a tree under one lock ({@link org.chagres.verbs.rdmacore.NativeObject}): making, changing and closing anything holds it, and so does
 * taking an event, so that no object goes while another thread is being told about it. Nothing waits under it. Posting and polling take only the
 * monitor of their own queue, and the prepared path takes nothing.
 */
package org.chagres.verbs.rdmacore;
