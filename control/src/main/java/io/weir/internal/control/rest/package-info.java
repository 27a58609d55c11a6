/** The resources that decide, explain and describe. */
@NullMarked
package io.weir.internal.control.rest;

import org.jspecify.annotations.NullMarked;
