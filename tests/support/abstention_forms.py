"""Sentences that say that there is no answer, and sentences that only look so."""

ABSTENTIONS = """
I don't know.
I do not know.
I don't know what a meander is.
I don't know based on NCERT textbooks.
I'm not sure.
I am not certain about that.
I really don't know the answer to this question.
I have no idea.
I have no information about this.
No idea.
Unknown.
Not sure.
I don't have enough information to answer this question.
I do not have sufficient relevant information in my knowledge base to answer your question about tides.
I cannot answer this from the passages.
I can't find the answer in the given text.
I could not find anything about moons in the passages.
I couldn't find that in the book.
I was unable to find this in the chapter.
I am unable to determine the answer from the context provided.
I'm afraid I can't answer that.
Sorry, I cannot answer that question.
Unfortunately, the passages do not mention the number of moons.
As an AI language model, I cannot answer this.
The textbook does not mention this.
The passages do not say how many moons the planet has.
The passage doesn't specify the year.
The provided context does not contain information about tides.
The given passages don't provide any details on the price of tea.
The text does not state who built the bridge.
The book says nothing about the poet's childhood.
The chapter is silent on this point.
The documents make no mention of a refund.
The context has no information about the speed of light in glass.
These pages do not explain why the lake froze.
Your notes do not cover this topic.
Neither passage says when the mill was closed.
None of the passages mention the height of the tower.
No passage mentions the height of the tower.
Nothing in the passages says who paid for it.
Nothing is said about the colour of the flag.
This information is not available in the provided context.
This information is not available.
The information is not provided in the text.
The answer is not given in the passages.
The answer is not in the book.
The answer cannot be found in the provided text.
The mass of the planet is not mentioned in the passages.
The name of the captain is not stated in the text.
The common difference is not specified.
Not mentioned in the passages.
Not mentioned.
Not given in the text.
Not stated.
No information available.
No information is given about this.
No answer was found in the context.
There is no information on this in the passages.
There is no mention of glaciers in the given passages.
There is not enough information to answer the question.
There isn't enough information in the context to say.
Insufficient information.
Not enough information to answer.
It is not possible to tell from the passages.
It is not clear from the context which king is meant.
It cannot be determined from the passages.
This cannot be determined from the given information.
The question cannot be answered from the passages.
The question cannot be answered with the information provided.
This topic is not covered in the textbook.
This is beyond the scope of the book.
This question is outside the scope of these books.
Based on the provided context, I cannot determine the boiling point.
According to the passages, there is no information on this.
From the passages alone it is impossible to say.
We cannot say from the passages.
I'm not confident I can provide an accurate answer to this from the textbooks.
I did not find this in the chapter.
I found nothing about it in the book.
I can't say.
Cannot be determined.
I don't know, but you could ask your teacher.
I cannot answer this because the passages do not mention it.
The passages do not say this, so I cannot answer.
I am sorry, but the textbook does not have information about that.
The book does not give the date of the treaty.
The source does not tell us why the queen left.
The retrieved documents do not contain the answer.
The library does not have an answer to that.
“I don't know.”
I don't have that information.
I have not been given that information.
I'm unable to answer based on the given passages.
The passage fails to mention the cause.
It does not say.
The text doesn't say anything about whales.
There's nothing about volcanoes in these passages.
That is not mentioned anywhere in the chapter.
That isn't explained in the passage.
The answer to this question is not available in the given passages.
The passages lack information about the rainfall.
The books do not answer this.
The exact number is not mentioned in the passage.
The books hold too little about this to answer from.
I can't help with that.
Based solely on the provided text, I cannot define a glacier.
(b) The text does not elaborate on the cause.
The term “estuary” is not mentioned or explained within the provided context.
The text discusses rivers and lakes, but it does not mention glaciers.
It does not contain any information about glaciers.
There is no data on this in the chapter.
""".strip().splitlines()
"""Each says that there is no answer, and states nothing else."""

STATEMENTS = """
404 visitors came to the fair.
#1 is the largest of the islands.
The error of the scale is 2 g.
Bacteria do not have a nucleus.
Sound cannot travel through a vacuum.
I'm not sure, but an arithmetic progression is a list of numbers.
I don't know exactly, but the answer is 42.
I am not certain; the river rises in the Alps.
The textbook does not mention this, but the bridge was built in 1880.
The passages do not say how many, though the number is usually eight.
There is no evidence of life on the Moon.
There is no air on the Moon.
There is no nucleus in a red blood cell.
Scientists do not know why the dinosaurs died out.
Nobody knows who wrote the song.
It is not known when the wheel was invented.
The position of an electron cannot be determined exactly.
The sex of the child cannot be determined by the mother.
Nitrogen is not available to plants in this form.
Fossils are not found in igneous rocks.
Gold is not found in this valley.
The king did not mention his brother in the will.
The farmer could not find water for his field.
She said that she did not know the way.
The treaty does not mention slavery.
The document does not need a stamp.
The law does not say that women cannot vote.
If the text does not mention a unit, assume metres.
When the passage does not state a date, historians compare coins.
The nasal passage does not contain cilia in smokers.
Books do not have a fixed price in Norway.
A prokaryotic cell does not contain mitochondria.
The author's name is not written on the coin.
The number 1 is not included among the primes.
Zero is not defined as a natural number here in base ten systems of old.
An equation has no solution when the lines are parallel.
The lines have no point in common.
No force is needed to keep a body moving.
No information can travel faster than light.
The message contains no vowels.
Plants cannot find food by moving about.
I cannot be divided evenly by 2, said the number 7.
The Constitution does not only mention rights, it lists duties too.
The book was written in 1920.
The book is not heavy.
The library was burnt by soldiers.
The chapter describes three kinds of soil.
The passages say that light travels in straight lines.
The vein has no pulse.
Vitamin C cannot be stored by the body.
Acids do not turn red litmus blue.
The moon has no light of its own.
The data in the table do not fit a straight line.
Unknown forces were at work in the forest.
Nothing can escape from a black hole.
Nothing is heavier than lead in this list.
It does not dissolve in water.
It is not clear water that carries the silt.
This cannot be stored for long.
This is not possible without oxygen.
That is not a mammal.
The answer is 42.
The answer is not 7 but 8.
No two snowflakes are alike.
No country can produce everything that it needs.
The people did not have enough food.
We do not have eyes at the back of the head.
We cannot see infrared light.
We don't hear sounds below 20 hertz.
They do not mention it to strangers because it is a secret.
There was no mention of women in the assembly of the city.
Not all metals are magnetic.
Not only birds but also bats can fly.
The witness did not answer the question of the judge.
The signal contains no information when it never changes.
Data are not stored in the processor.
He had no idea of the danger.
The page is not printed on both sides.
I am not a mammal because I lay eggs, says the platypus.
The mass of the body is not given by its volume alone.
The cause of the fever was not found until 1897.
The source of the river was not known to the Romans.
The source of the Nile does not lie in Egypt.
The content of the box does not change.
The passages mention that the river is long.
The text explains that water and air are poor conductors.
The passages do not say that the river is long, but that it is wide.
I cannot answer this because Paris is the capital of France.
It does not contain salt.
Our bodies do not give off light.
This rock is not found in the plains.
The answer to the riddle is a shadow.
While the text does not mention a name, the king was Ashoka.
""".strip().splitlines()
"""Each states something, with a negation, a doubt, or words of a source."""
