/** What plans cost, which algorithm is chosen for it, and the text that explains both. */
package org.chagres.collectives.cost;
