/** JSON with bounds: text from strangers becomes records, or an error that names field and rule. */
@NullMarked
package io.weir.internal.control.json;

import org.jspecify.annotations.NullMarked;
