package io.weir.compat.stacks.spring.usual;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A shop: tokens, a database, metrics, a description of its endpoints, and one error handler. */
@SpringBootApplication
public class ShopApplication {}
