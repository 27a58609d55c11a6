package io.weir.spring.web;

import org.springframework.boot.test.autoconfigure.web.servlet.WebMvcTest;
import org.springframework.test.context.ContextConfiguration;

/** {@code @WebMvcTest} of Spring Boot 3. */
@WebMvcTest(properties = "weir.proxy.trusted=127.0.0.1")
@ContextConfiguration(classes = {MvcApplication.class, OpenSecurity.class})
class WebMvcSliceTest extends WebMvcSliceContract {}
