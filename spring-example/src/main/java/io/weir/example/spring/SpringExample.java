package io.weir.example.spring;

import io.weir.Weir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts the example on the loopback interface and runs it until Ctrl-C. */
@SpringBootApplication
public class SpringExample {
  public static void main(String[] args) {
    ConfigurableApplicationContext context = SpringApplication.run(SpringExample.class, args);
    Weir weir = context.getBean(Weir.class);
    String port = context.getEnvironment().getProperty("local.server.port");
    System.out.println(weir.table());
    System.out.println("Limits are counted in " + weir.store());
    System.out.println("The example is at http://127.0.0.1:" + port + "/ (Ctrl-C stops it)");
  }
}
