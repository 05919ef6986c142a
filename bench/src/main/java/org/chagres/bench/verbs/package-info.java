/** The {@code devices} command, and what all commands that work on one RDMA device share. */
package org.chagres.bench.verbs;
