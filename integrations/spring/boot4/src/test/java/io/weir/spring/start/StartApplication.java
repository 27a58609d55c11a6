package io.weir.spring.start;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** What one has before the page begins. */
@SpringBootApplication
class StartApplication {}
