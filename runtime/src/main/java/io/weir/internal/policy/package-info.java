/** Turns annotations and settings into policies, validated before the first request. */
@NullMarked
package io.weir.internal.policy;

import org.jspecify.annotations.NullMarked;
