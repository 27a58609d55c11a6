/** Describes the resources by what their methods say. */
@NullMarked
package io.weir.internal.control.openapi;

import org.jspecify.annotations.NullMarked;
