/** JSON without HTTP. */
@NullMarked
package io.weir.internal.control.json;

import org.jspecify.annotations.NullMarked;
