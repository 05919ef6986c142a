/** Collective algorithms as data: shapes, steps, plans, and what a planner is. */
package org.chagres.collectives.plan;
