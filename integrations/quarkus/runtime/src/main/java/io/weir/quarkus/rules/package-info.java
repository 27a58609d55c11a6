/** Opens rules in a datasource of an application. Nothing here is for applications. */
@NullMarked
package io.weir.quarkus.rules;

import org.jspecify.annotations.NullMarked;
