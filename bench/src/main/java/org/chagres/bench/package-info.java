/** placeholder */
package org.chagres.bench;
