/** placeholder */
package org.chagres;
