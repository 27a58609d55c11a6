/** What the feature is made of: its resources, its settings and the parts that they share. */
@NullMarked
package io.weir.internal.control;

import org.jspecify.annotations.NullMarked;
