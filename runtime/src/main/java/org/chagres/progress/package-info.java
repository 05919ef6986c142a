/** Waiting and progress: idle strategies by cores per spinning rank, and the agent that drives asynchronous operations. */
package org.chagres.progress;
