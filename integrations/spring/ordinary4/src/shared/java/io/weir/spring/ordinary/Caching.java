package io.weir.spring.ordinary;

import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Configuration;

/** Apart from the application, as slices have no cache. */
@Configuration(proxyBeanMethods = false)
@EnableCaching
class Caching {}
