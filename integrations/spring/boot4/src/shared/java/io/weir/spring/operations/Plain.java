package io.weir.spring.operations;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/** An application that is configured by Spring Boot alone, for starts without a server. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class Plain {}
