/** How ranks find each other: the environment, the rendezvous, and what becomes of a rank that dies. */
package org.chagres.bootstrap;
