package io.weir.compat.stacks.spring.mvc;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application on Spring MVC. */
@SpringBootApplication
public class MvcApplication {}
