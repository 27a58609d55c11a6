/** The rulebook as a file that people keep in git: written, read, compared and applied. */
@NullMarked
package io.weir.internal.rules.yaml;

import org.jspecify.annotations.NullMarked;
