/** The algorithms: each is one file that makes plans, and one line in {@link org.chagres.collectives.planner.Planners}. */
package org.chagres.collectives.planner;
