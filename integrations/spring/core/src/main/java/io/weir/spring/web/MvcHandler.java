package io.weir.spring.web;

import io.weir.adapter.LimitedEndpoint;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * A handler of Spring MVC, with the policies that limit it.
 *
 * @param endpoint its policies
 * @param method the method that carries them, as it is written; null for a handler without one
 * @param answersHead whether it has code of its own for HEAD, instead of that for GET
 */
record MvcHandler(LimitedEndpoint endpoint, @Nullable Method method, boolean answersHead) {}
