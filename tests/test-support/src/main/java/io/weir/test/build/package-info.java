/** Reports about builds. */
package io.weir.test.build;
