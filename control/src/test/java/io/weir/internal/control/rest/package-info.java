/** Resources without HTTP. */
@NullMarked
package io.weir.internal.control.rest;

import org.jspecify.annotations.NullMarked;
