/** Determines how many random cases a test tries, and from which seed. */
package io.weir.seeds;
