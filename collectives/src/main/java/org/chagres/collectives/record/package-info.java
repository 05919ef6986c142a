/** What a process is doing and has done, in memory that other processes can read, and as JFR events. */
package org.chagres.collectives.record;
