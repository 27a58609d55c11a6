/** Bearer tokens and sessions for Weir's decision service. */
@NullMarked
package io.weir.rules.access;

import org.jspecify.annotations.NullMarked;
