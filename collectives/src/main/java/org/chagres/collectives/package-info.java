/** placeholder */
package org.chagres.collectives;
