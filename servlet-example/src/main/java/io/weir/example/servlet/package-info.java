/**
 * Plain servlets, limited by annotation and by two filters in web.xml. {@code Main} and {@code
 * Example} only start Tomcat; everything else is as it would be in a war.
 */
@NullMarked
package io.weir.example.servlet;

import org.jspecify.annotations.NullMarked;
