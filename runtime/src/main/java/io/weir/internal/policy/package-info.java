/** Annotations and settings become policies here, validated before the first request. */
@NullMarked
package io.weir.internal.policy;

import org.jspecify.annotations.NullMarked;
