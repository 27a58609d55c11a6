/** Rules of architecture that the tests of every module hold. */
package io.weir.test.architecture;
