/** Tiers and limits of single users, and their requests for a higher tier. */
@NullMarked
package io.weir.rules.tier;

import org.jspecify.annotations.NullMarked;
