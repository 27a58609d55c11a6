package io.weir.compat.stacks.spring.usual;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;

/** A thing that the shop sells. */
@Entity
public class Product {
  @Id @GeneratedValue private Long id;
  private String name;

  protected Product() {}

  Product(String name) {
    this.name = name;
  }

  public Long getId() {
    return id;
  }

  public String getName() {
    return name;
  }
}
