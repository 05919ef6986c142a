/** {@code ./chagres status}: what the processes of this host are doing. */
package org.chagres.bench.status;
