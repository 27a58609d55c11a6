package io.weir.compat.stacks.spring.flux;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application on Spring WebFlux. */
@SpringBootApplication
public class FluxApplication {}
