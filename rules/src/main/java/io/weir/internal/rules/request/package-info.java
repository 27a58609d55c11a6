/** Applies the rules to requests, and explains the result. */
@NullMarked
package io.weir.internal.rules.request;

import org.jspecify.annotations.NullMarked;
