package io.weir.spring.web;

import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.test.context.ContextConfiguration;

/** {@code @WebMvcTest} of Spring Boot 4. */
@WebMvcTest(properties = "weir.proxy.trusted=127.0.0.1")
@ContextConfiguration(classes = {MvcApplication.class, OpenSecurity.class})
class WebMvcSliceTest extends WebMvcSliceContract {}
