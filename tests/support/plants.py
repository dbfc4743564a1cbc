"""A chapter of one paragraph about photosynthesis, an answer from it, and a question on something else."""

PLANTS = (
    "Photosynthesis is the process by which green plants make their own food. Plants need sunlight, water and carbon "
    "dioxide for photosynthesis. The green substance in the leaves is called chlorophyll. Chlorophyll takes in the "
    "energy of sunlight. Oxygen is given out during photosynthesis. Starch is the form in which food is stored."
)

ANSWER = "Photosynthesis is the process by which green plants make their own food. [1]"

COOKIES = "How do I make chocolate chip cookies?"
