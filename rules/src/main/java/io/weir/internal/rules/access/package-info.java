/** Tokens and sessions of the service: rows, and what of them is in memory. */
@NullMarked
package io.weir.internal.rules.access;

import org.jspecify.annotations.NullMarked;
