/** Access tokens and sessions of the decision service: in the database, and cached in memory. */
@NullMarked
package io.weir.internal.rules.access;

import org.jspecify.annotations.NullMarked;
