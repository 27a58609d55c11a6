package io.weir.compat.stacks.spring.usual;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import java.security.Principal;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The shop's endpoints. */
@RestController
class ShopController {
  private final Products products;
  private final Mail mail;

  ShopController(Products products, Mail mail) {
    this.products = products;
    this.mail = mail;
  }

  /** Saves a product and reads it again. */
  @GetMapping("/products/{name}")
  @RateLimit(limit = 5, window = 60, by = By.IP, name = "products-ip")
  @RateLimit(limit = 3, window = 60, by = By.USER, name = "products-user")
  Map<String, String> product(@PathVariable String name, Principal user) {
    Long id = products.save(new Product(name)).getId();
    return Map.of("product", products.findById(id).orElseThrow().getName(), "user", user.getName());
  }

  @GetMapping("/mail/{recipient}")
  Map<String, String> mail(@PathVariable String recipient) {
    mail.send(recipient);
    return Map.of("sent", recipient);
  }

  @GetMapping("/broken")
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "broken")
  Map<String, String> broken() {
    throw new IllegalStateException("on purpose");
  }
}
